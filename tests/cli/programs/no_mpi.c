/* Not an MPI program. Built dynamically and statically. */
int main(void) { return 0; }
