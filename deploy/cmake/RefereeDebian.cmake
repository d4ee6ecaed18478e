# Packages for Debian: `cpack --config BUILD/CPackConfig.cmake -B DIR` writes them to DIR.
#
#   referee         refereed and refgate, as services
#   referee-tools   refctl
#   libreferee-dev  what bots in C++ and games are built with
#   python3-referee the SDK for bots in Python

include(RefereeDocuments)

set(package ${CMAKE_SOURCE_DIR}/deploy/package)
# The services have absolute destinations, where systemd looks: they are for packages only. All else is
# below the prefix, so that anybody can `cmake --install` it.
install(FILES ${package}/refereed.service ${package}/refgate.service
  DESTINATION /lib/systemd/system COMPONENT service EXCLUDE_FROM_ALL)
install(FILES ${package}/referee.sysusers
  DESTINATION /usr/lib/sysusers.d RENAME referee.conf COMPONENT service EXCLUDE_FROM_ALL)
install(FILES ${package}/refereed.conf DESTINATION /etc/referee COMPONENT service EXCLUDE_FROM_ALL)
install(FILES ${package}/refgate.default
  DESTINATION /etc/default RENAME refgate COMPONENT service EXCLUDE_FROM_ALL)
referee_package_documents(service referee
  deploy/RUNBOOK.md=RUNBOOK.md deploy/ORGANISERS.md=ORGANISERS.md
  deploy/observability/alerts.yaml=alerts.yaml deploy/observability/dashboard.json=dashboard.json
  deploy/compose.yaml=compose.yaml deploy/proxy/README.md=PROXY.md deploy/kubernetes/README.md=KUBERNETES.md
  proto/PROTOCOL.md=PROTOCOL.md referee/gate/GATE.md=GATE.md referee/log/LOG.md=LOG.md
  referee/metrics/METRICS.md=METRICS.md referee/replay/FORMAT.md=FORMAT.md
  referee/replay/EXPORTS.md=EXPORTS.md referee/service/access/ACCESS.md=ACCESS.md
  referee/store/STORE.md=STORE.md)

set(python_packages lib/python3/dist-packages)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/sdk/python/referee DESTINATION ${python_packages}
  COMPONENT python EXCLUDE_FROM_ALL PATTERN "__pycache__" EXCLUDE)
configure_file(${package}/python.egg-info.in ${CMAKE_BINARY_DIR}/package/python.egg-info @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/python.egg-info
  DESTINATION ${python_packages} RENAME referee_sdk-${PROJECT_VERSION}.egg-info COMPONENT python EXCLUDE_FROM_ALL)
referee_package_documents(python python3-referee
  sdk/python/README.md=README.md proto/PROTOCOL.md=PROTOCOL.md referee/replay/FORMAT.md=FORMAT.md
  referee/replay/EXPORTS.md=EXPORTS.md)

set(REFEREE_MAINTAINER "Referee maintainers <maintainers@referee.invalid>" CACHE STRING
  "Who answers for the packages, as Debian has it")
configure_file(${package}/changelog.in ${CMAKE_BINARY_DIR}/package/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/package/changelog COMMAND_ERROR_IS_FATAL ANY)
set(components service tools sdk python)
set(names referee referee-tools libreferee-dev python3-referee)
foreach(component name IN ZIP_LISTS components names)
  install(FILES ${package}/copyright ${CMAKE_BINARY_DIR}/package/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Runs competitions of bots")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${REFEREE_MAINTAINER})
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR ON)  # for the absolute destinations
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL programs service tools sdk python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_DAEMON_PACKAGE_NAME referee)
set(CPACK_DEBIAN_DAEMON_PACKAGE_SECTION net)
set(CPACK_DEBIAN_DAEMON_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers")
set(CPACK_DEBIAN_DAEMON_PACKAGE_RECOMMENDS referee-tools)
set(CPACK_DEBIAN_DAEMON_PACKAGE_CONTROL_EXTRA
  ${package}/conffiles ${package}/postinst ${package}/prerm ${package}/postrm)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME referee-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS bubblewrap)  # refctl duel --isolate
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libreferee-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libabsl-dev, libgrpc++-dev, libprotobuf-dev, libssl-dev, pkgconf")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_CONTROL_EXTRA ${package}/triggers)

# Its messages are made from descriptors when it is imported, so that it fits whichever protobuf is there.
# The rules in C++ are beside those in Python, which need them to be fast.
install(TARGETS refereerules COMPONENT python EXCLUDE_FROM_ALL
  LIBRARY DESTINATION ${python_packages}/referee/rules)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-referee)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= 3.9), python3-grpcio (>= 1.51), python3-protobuf (>= 3.21)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-cryptography, python3-numpy, python3-zstandard")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${package}/python/postinst ${package}/python/prerm)

set(CPACK_DEBIAN_DAEMON_DESCRIPTION
  "Runs matches, ladders and tournaments between bots that connect over gRPC,
judges them, and archives a signed replay of each. With refgate, which shows
them live to browsers, or writes pages for any web server.")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION
  "refctl makes and follows matches and competitions of a referee, plays duels
between bots on one machine, and verifies replays.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "What find_package(Referee) finds: the SDK for bots in C++, and the rules of
the games; and the rules as a library for C.")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
  "Bots for a referee in a few lines of Python, the rules of its games, and its
replays, opened and verified.")

include(CPack)
cpack_add_component_group(daemon)
cpack_add_component_group(tools)
cpack_add_component_group(development)
cpack_add_component_group(python)
cpack_add_component(programs GROUP daemon)
cpack_add_component(service GROUP daemon)
cpack_add_component(tools GROUP tools)
cpack_add_component(sdk GROUP development)
cpack_add_component(python GROUP python)
