/* A library that is linked against, whose name is all that counts. */
int MPI_Init(int* argc, char*** argv) { return argc == 0 && argv == 0; }
