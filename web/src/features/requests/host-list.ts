/** Hosts in one line. */
export const hostsAsText = (hosts: readonly string[] | null): string => hosts?.join(', ') ?? ''

/** Null if empty: any host that a request may reach. */
export const hostsOf = (text: string): string[] | null => {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '')
  return hosts.length > 0 ? hosts : null
}
