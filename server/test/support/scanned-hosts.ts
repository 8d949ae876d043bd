/** Of the range for measurements (RFC 2544), which leads nowhere else. */
export const NETWORK = '198.18.77.0/28'

/** Hosts of a network that is there to be scanned. */
export const HOSTS = {
  /** A name server, and nothing else. */
  names: '198.18.77.2',
  web: '198.18.77.3',
  garbage: '198.18.77.4',
  slow: '198.18.77.5',
  /** A web server, at first. */
  firewalled: '198.18.77.6',
  outOfScope: '198.18.77.7',
  /** By the operator. */
  refused: '198.18.77.8',
  /** Answers nothing, ever. */
  silent: '198.18.77.9',
}

export const PORTS = [22, 80, 443, 8080]
