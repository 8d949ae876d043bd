import { useDebouncedValue } from '@mantine/hooks'
import { asMeant, pastedLines, sendable } from '@sortie/contract/core/pasted-lines.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { VERDICT_LABELS, type Verdict } from '../../../domain/verdicts.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import type { Line } from '../../../ui/lists/LineList.tsx'

/** Lines and characters that are checked before submission: the limit of one check request. */
const MAX_LINES = 1_000
const MAX_CHARACTERS = 200_000
const MAX_VALUE = 4_096
const PAUSE_MS = 400

const TONES = { in: 'good', out: 'bad', caution: 'warn', unknown: 'quiet', invalid: 'bad' } as const

interface Preview {
  lines: readonly Line[]
  /** The text is longer than the checked part. */
  isCut: boolean
  error: Error | null
}

/** Previews the targets of the first lines with their verdicts. Runs when typing pauses; nothing is stored. */
export const usePreview = (engagementId: string, text: string): Preview => {
  const organization = useOrganization()
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const { inputs, isCut } = firstLines(settled)
  const values = inputs.map(({ input }) => sendable(asMeant(input).slice(0, MAX_VALUE)))
  const judged = useQuery({
    ...query(organization.id, 'checkScope', { body: { engagementId, values } }),
    enabled: values.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  // Placeholder data belongs to the previous text, and its lines do not match.
  const isCurrent = !judged.isPlaceholderData
  const lines = inputs.map(({ line, input }, index): Line => {
    if (asMeant(input).length > MAX_VALUE)
      return { line, input, tone: 'bad', label: VERDICT_LABELS.invalid, note: 'has more than 4,096 characters' }
    const found = isCurrent ? judged.data?.data[index] : undefined
    if (!found) return { line, input, tone: 'quiet', label: '…' }
    return { line, input, tone: TONES[found.verdict], label: VERDICT_LABELS[found.verdict], note: noteOf(input, found) }
  })
  return { lines, isCut, error: values.length > 0 ? judged.error : null }
}

/** The reason, with the canonical form if it differs. */
const noteOf = (
  input: string,
  { canonical, reason, verdict }: { canonical: string | null; reason: string; verdict: Verdict },
): string => (verdict === 'invalid' || canonical === null || canonical === input ? reason : `${canonical}: ${reason}`)

const firstLines = (text: string) => {
  const inputs: { line: number; input: string }[] = []
  const head = text.slice(0, MAX_CHARACTERS)
  for (const line of pastedLines(head)) {
    if (inputs.length === MAX_LINES) return { inputs, isCut: true }
    inputs.push(line)
  }
  return { inputs, isCut: head.length < text.length }
}
