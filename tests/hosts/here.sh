#!/bin/bash
# In ssh's place (DAMPI_SSH), for "hosts" that are all this machine: HOST COMMAND ARGUMENT...
# DAMPI_TEST_PRELOAD: a library to be loaded into the command.
shift
[[ -z ${DAMPI_TEST_PRELOAD:-} ]] || export LD_PRELOAD=$DAMPI_TEST_PRELOAD
exec "$@"
