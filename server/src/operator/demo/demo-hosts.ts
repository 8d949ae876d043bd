/** Addresses of the network that the demonstration scans: all of them on this machine. */
export const DEMO_HOSTS = { gateway: '127.66.0.1', mail: '127.66.0.2', shop: '127.66.0.3' }

export const DEMO_NETWORK = '127.66.0.0/29'

export const DEMO_PORTS = '22,80,443,2222,2525,8080-8081'
