#!/bin/sh
# DAMPI-TEST
#   np: 3
#   expect: clean
#   interleavings: 2
#   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
# A script whose last command is the program, and which runs others before that.
uname >/dev/null
"$(dirname "$0")/with_ctypes.py"
