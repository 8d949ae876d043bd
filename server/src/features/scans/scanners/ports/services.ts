/** Services that send first or use another protocol: TLS and HTTP are not tried on them. */
const OTHERS = new Set([
  'ssh',
  'ftp',
  'smtp',
  'pop3',
  'imap',
  'vnc',
  'rsync',
  'mysql',
  'telnet',
  'domain',
  'dns',
  'rpcbind',
  'netbios-ssn',
  'microsoft-ds',
])

export const speaksOther = (service: string | undefined): boolean => service !== undefined && OTHERS.has(service)
