# What is installed, as the package that find_package(Referee) finds. Two components, one tree:
#
#   sdk      referee::sdk and referee::rules, for bots
#   referee  referee::refereed and referee::refctl, for referees of one's own; needs sdk beside it
#
# The libraries are those that these four are linked of.

# referee_closure(OWN EXTERNAL target ...)
# Sets OWN to the targets of this build that the targets are linked of, these included, and EXTERNAL
# to the imported ones.
function(referee_closure own external)
  set(found)
  set(imported_ones)
  set(todo ${ARGN})
  while(todo)
    list(POP_FRONT todo item)
    if(item MATCHES "^\\$<LINK_ONLY:(.*)>$")
      set(item ${CMAKE_MATCH_1})
    endif()
    if(item MATCHES "^\\$<BUILD_INTERFACE:" OR NOT TARGET ${item})
      continue()
    endif()
    get_target_property(aliased ${item} ALIASED_TARGET)
    if(aliased)
      set(item ${aliased})
    endif()
    get_target_property(imported ${item} IMPORTED)
    if(imported)
      list(APPEND imported_ones ${item})
    elseif(NOT item IN_LIST found)
      list(APPEND found ${item})
      get_target_property(linked ${item} INTERFACE_LINK_LIBRARIES)
      if(linked)
        list(APPEND todo ${linked})
      endif()
    endif()
  endwhile()
  list(REMOVE_DUPLICATES imported_ones)
  set(${own} ${found} PARENT_SCOPE)
  set(${external} ${imported_ones} PARENT_SCOPE)
endfunction()

# Installs targets as referee::NAME of the package.
function(referee_install_libraries export component)
  foreach(target IN LISTS ARGN)
    string(REGEX REPLACE "^referee_" "" name ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  endforeach()
  install(TARGETS ${ARGN} EXPORT ${export} COMPONENT ${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  install(EXPORT ${export} NAMESPACE referee:: COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Referee)
endfunction()

# referee_install_headers(COMPONENT header ...), by their path from the top.
function(referee_install_headers component)
  foreach(header IN LISTS ARGN)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${CMAKE_SOURCE_DIR}/${header} COMPONENT ${component}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endforeach()
endfunction()

referee_closure(sdk_libraries ignored referee::sdk referee::rules)
referee_closure(libraries REFEREE_NEEDS referee::refereed referee::refctl)
list(REMOVE_ITEM libraries ${sdk_libraries})
referee_install_libraries(RefereeTargets sdk ${sdk_libraries})
referee_install_libraries(RefereeProgramTargets referee ${libraries})
referee_install_headers(referee referee/daemon/refereed.h referee/ctl/refctl.h)

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Referee)
configure_package_config_file(deploy/cmake/RefereeConfig.cmake.in
  ${CMAKE_BINARY_DIR}/RefereeConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/RefereeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/RefereeConfig.cmake ${CMAKE_BINARY_DIR}/RefereeConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT sdk)
