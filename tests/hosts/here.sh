#!/bin/sh
# In ssh's place (DAMPI_SSH), for "hosts" that are all this machine: HOST COMMAND ARGUMENT...
shift
exec "$@"
