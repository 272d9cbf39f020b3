# Run by cpack before it makes a package (DampiPackages.cmake): tells dpkg-shlibdeps that the libmpi.so.40 which
# libdampi-openmpi-fortran.so asks for is in the package itself (libdampi-openmpi.so), so that it needs no Open MPI.
if(CPACK_GENERATOR STREQUAL DEB)
    file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/debian/shlibs.local "libmpi 40\n")
endif()
