import type { QueryKey } from '@tanstack/react-query'

/** For `placeholderData`: keeps the previous rows of the same list and tenant while another page or filter loads. */
export const keepPrevious =
  <T>([tenant, name]: QueryKey) =>
  (data: T | undefined, previous: { queryKey: QueryKey } | undefined): T | undefined =>
    previous?.queryKey[0] === tenant && previous?.queryKey[1] === name ? data : undefined
