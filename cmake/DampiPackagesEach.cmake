# Read by cpack for each kind of package (DampiPackages.cmake).
if(CPACK_GENERATOR STREQUAL DEB)
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
endif()
