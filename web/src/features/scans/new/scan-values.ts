import type { Input } from '@sortie/client/calls.ts'
import type { ChosenTargets } from '../../../domain/chosen-targets.ts'
import { toMoment } from '../../../ui/values/moments.ts'
import type { Scanner, ScanTargets, Step } from '../labels.ts'
import { reconWith } from './steps.ts'

type TargetKind = 'domain' | 'ip' | 'cidr' | 'url' | 'service'

/** Form values of a scan. */
export interface ScanValues extends Record<string, unknown> {
  name: string
  scanners: Step[]
  about: 'scope' | 'some' | 'chosen' | 'new'
  /** For `some`; empty: all kinds. */
  kinds: TargetKind[]
  tags: string[]
  /** For `new`: a word, a time, or the id of an import or scan. */
  since: string
  skipsOutOfScope: boolean
}

export const newScan = (scanners: readonly Scanner[]): ScanValues => ({
  name: '',
  scanners: reconWith(scanners),
  about: 'scope',
  kinds: [],
  tags: [],
  since: 'yesterday',
  skipsOutOfScope: false,
})

export const KIND_LABELS: Record<TargetKind, string> = {
  domain: 'Names',
  ip: 'Addresses',
  cidr: 'Networks',
  url: 'URLs',
  service: 'Services',
}

interface ScanContext {
  engagementId: string
  /**
   * No rule defines what is in scope. Nothing is in scope then, and the scan covers every target that is not denied.
   */
  isUnscoped: boolean
  chosen: ChosenTargets | undefined
}

/** The selected targets as the API takes them. */
export const targetsOf = (
  values: Pick<ScanValues, 'about' | 'kinds' | 'tags' | 'since'>,
  { engagementId, isUnscoped, chosen }: ScanContext,
): ScanTargets => {
  const { about, kinds, tags, since } = values
  if (about === 'chosen' && chosen) return chosen
  if (about === 'new') return { diff: { from: toMoment(since), changes: ['new'] } }
  if (about === 'some')
    return { filter: { engagementId, ...(kinds.length > 0 && { kind: kinds }), ...(tags.length > 0 && { tag: tags }) } }
  return { filter: { engagementId, verdict: isUnscoped ? ['in', 'caution', 'unknown'] : ['in', 'caution'] } }
}

/** @param reason why scope and testing hours are overridden; absent: no override */
export const bodyOf = (
  values: ScanValues,
  place: ScanContext,
  reason?: string,
): NonNullable<Input<'createScan'>['body']> => ({
  engagementId: place.engagementId,
  ...(values.name.trim() && { name: values.name.trim() }),
  scanners: values.scanners,
  targets: targetsOf(values, place),
  ...(values.skipsOutOfScope && { outOfScope: 'skip' as const }),
  ...(reason !== undefined && { override: { reason } }),
})

/** Checks if an owner or admin could override a refusal: only refusals by scope or testing hours. */
export const isOverridable = (refusal: string): boolean => /out of scope|testing hours/.test(refusal)
