import type { Output } from '@sortie/client/calls.ts'

export type MethodologyHead = Output<'listMethodologies'>['data'][number]
export type Methodology = Output<'getMethodology'>['data']
export type Item = Methodology['items'][number]

/** Reads that become stale when a methodology changes. */
export const staleReads = (organizationId: string) =>
  (['listMethodologies', 'getMethodology', 'getCoverage'] as const).map((name) => [organizationId, name] as const)

/** `OWASP Web Security Testing Guide 4.2` */
export const fullName = ({ name, version }: Pick<MethodologyHead, 'name' | 'version'>): string =>
  version ? `${name} ${version}` : name
