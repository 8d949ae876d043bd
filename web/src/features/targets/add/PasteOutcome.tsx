import { Button, Group, Stack, Text } from '@mantine/core'
import { type Line, LineList } from '../../../ui/lists/LineList.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'

/** The answer to pasted lines: of targets and of rules alike. */
export interface PasteResult {
  created: number
  known: number
  rejected: number
  lines: readonly { line: number; input: string; outcome: 'created' | 'known' | 'rejected'; reason: string | null }[]
}

interface PasteOutcomeProps {
  outcome: PasteResult
  /** What the lines are. */
  nouns: readonly [one: string, many: string]
  onClose: () => void
  /** Puts the rejected lines back into the field. */
  onCorrect: (text: string) => void
}

const NUMBER = new Intl.NumberFormat('en')
const LABELS = { created: 'Added', known: 'Already exists', rejected: 'Rejected' } as const
const TONES = { created: 'good', known: 'quiet', rejected: 'bad' } as const

/** Outcome of each pasted line; rejected ones first, because they require action. */
export const PasteOutcome = ({ outcome, nouns: [one, many], onClose, onCorrect }: PasteOutcomeProps) => {
  const { created, known, rejected } = outcome
  return (
    <Stack gap="md">
      <Text size="sm" role="status">
        {NUMBER.format(created)} {created === 1 ? one : many} added, {NUMBER.format(known)} already known,{' '}
        {NUMBER.format(rejected)} rejected.
      </Text>
      <LineList label="Outcome of each line" lines={linesOf(outcome)} />
      <Group justify="flex-end" gap="xs">
        {rejected > 0 && (
          <Button variant="default" onClick={() => onCorrect(rejectedOf(outcome))}>
            Correct what was rejected
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

const linesOf = ({ lines }: PasteResult): Line[] => {
  const shown = lines.map(({ line, input, outcome, reason }) => ({
    line,
    input,
    label: LABELS[outcome],
    tone: TONES[outcome],
    note: reason && capitalised(reason),
  }))
  return [...shown.filter(({ tone }) => tone === 'bad'), ...shown.filter(({ tone }) => tone !== 'bad')]
}

const rejectedOf = ({ lines }: PasteResult): string =>
  lines
    .filter(({ outcome }) => outcome === 'rejected')
    .map(({ input }) => input)
    .join('\n')
