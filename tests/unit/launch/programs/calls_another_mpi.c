/* Linked against a stand-in for an MPI library; never run. */
int MPI_Init(int* argc, char*** argv);

int main(int argc, char** argv) { return MPI_Init(&argc, &argv); }
