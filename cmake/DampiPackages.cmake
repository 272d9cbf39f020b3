# Packages of what `cmake --install` installs, for those who have no Debian archive with dampi in it:
#
#   cd build && cpack -G "DEB;TGZ"
#
# The Debian package goes to /usr and depends on what its files are linked against; the archive may be unpacked anywhere.
set(CPACK_PACKAGE_NAME dampi)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the dampi project")
set(CPACK_PACKAGE_CONTACT "the maintainers of dampi <dampi@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "verifier for MPI programs")
set(CPACK_PACKAGE_DESCRIPTION "dampi runs an MPI program under all matches that its messages could have, and reports
deadlocks, leaks, crashes and misuse, each with a file that reproduces it.")
set(CPACK_PACKAGE_FILE_NAME dampi-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL OFF)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Programs are built with the one; --check-buffers loads the other.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mpich, libzydis4.0")
set(CPACK_PACKAGING_INSTALL_PREFIX "")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DampiPackagesLibraries.cmake)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/DampiPackagesEach.cmake)
include(CPack)
