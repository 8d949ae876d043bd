/** In the range for measurements (RFC 2544), which is not routed. */
export const NETWORK = '198.18.77.0/28'

/** Hosts of a network to be scanned. */
export const HOSTS = {
  /** Only a name server. */
  names: '198.18.77.2',
  web: '198.18.77.3',
  garbage: '198.18.77.4',
  slow: '198.18.77.5',
  /** A web server at first. */
  firewalled: '198.18.77.6',
  outOfScope: '198.18.77.7',
  /** By the operator. */
  refused: '198.18.77.8',
  /** Never answers. */
  silent: '198.18.77.9',
}

export const PORTS = [22, 80, 443, 8080]
