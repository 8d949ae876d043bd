/** Hosts in one line. */
export const hostsAsText = (hosts: readonly string[] | null): string => hosts?.join(', ') ?? ''

/** Null where none is written: any host that a request may go to. */
export const hostsOf = (text: string): string[] | null => {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '')
  return hosts.length > 0 ? hosts : null
}
