import type { QueryKey } from '@tanstack/react-query'

/** For `placeholderData`: what the same list of the same tenant showed before, while another page or filter of it is read. */
export const keepPrevious =
  <T>([tenant, name]: QueryKey) =>
  (data: T | undefined, previous: { queryKey: QueryKey } | undefined): T | undefined =>
    previous?.queryKey[0] === tenant && previous?.queryKey[1] === name ? data : undefined
