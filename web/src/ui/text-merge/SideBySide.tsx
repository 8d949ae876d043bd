import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { type Passage, piecesOf } from './passages.ts'
import classes from './text-merge.module.css'

interface SideBySideProps {
  /** Common ancestor of both texts. */
  base: string
  /** The text at the time of the call, because the user can continue to type. */
  mine: () => string
  theirs: string
  /** Who saved it. */
  by?: string | undefined
  /** Name of the text, where there are several. */
  name?: string | undefined
  onChoose: (text: string) => void
}

type Choice = 'mine' | 'theirs' | 'both'

/** Resolves overlapping edits of two users, passage by passage. Nothing is saved until every passage has a choice. */
export const SideBySide = ({ base, mine, theirs, by, name, onChoose }: SideBySideProps) => {
  const passages = piecesOf(base, mine(), theirs).filter(isPassage)
  const key = JSON.stringify(passages)
  const [shown, setShown] = useState<{ key: string; choices: (Choice | undefined)[] }>({ key, choices: [] })
  const choices = shown.key === key ? shown.choices : []

  const choose = (place: number, choice: Choice) => {
    const pieces = piecesOf(base, mine(), theirs)
    const isAsShown = JSON.stringify(pieces.filter(isPassage)) === key
    const chosen = passages.map((_, index) => (index === place ? choice : choices[index]))
    // The user has edited another passage in between: show the new passages before accepting choices.
    if (passages.length > 1 && !isAsShown) setShown({ key: '', choices: [] })
    else if (chosen.every((each) => each !== undefined)) onChoose(textWith(pieces, chosen))
    else setShown({ key, choices: chosen })
  }

  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      title={`You and someone else changed the same lines${name === undefined ? '' : ` of ${name}`}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          Nothing is lost, and nothing is saved until you choose. Changes elsewhere in the text are kept.
        </Text>
        {passages.map((passage, index) => (
          <Choose
            // oxlint-disable-next-line react/no-array-index-key -- passages have no id
            key={index}
            place={passages.length > 1 ? ` (${index + 1} of ${passages.length})` : ''}
            passage={passage}
            by={by}
            choice={choices[index]}
            onChoose={(choice) => choose(index, choice)}
          />
        ))}
      </Stack>
    </Alert>
  )
}

interface ChooseProps {
  passage: Passage
  /** Position among the passages, such as 2 of 3. */
  place: string
  by: string | undefined
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

const Choose = ({ passage, place, by, choice, onChoose }: ChooseProps) => {
  const button = (value: Choice, label: string) => (
    <Button
      size="xs"
      variant={choice === value ? 'filled' : 'default'}
      aria-pressed={choice === value}
      onClick={() => onChoose(value)}
    >
      {label}
    </Button>
  )
  return (
    <div className={classes.sides}>
      <section aria-label={`Your text${place}`}>
        <Text fw={600} size="sm">
          Yours{place}
        </Text>
        <Lines text={passage.mine} />
        {button('mine', 'Keep my text')}
      </section>
      <section aria-label={`The saved text${place}`}>
        <Text fw={600} size="sm">
          Saved{by === undefined ? '' : ` by ${by}`}
          {place}
        </Text>
        <Lines text={passage.theirs} />
        <Group gap="xs">
          {button('theirs', 'Use the saved text')}
          {button('both', 'Keep both, one after the other')}
        </Group>
      </section>
    </div>
  )
}

const Lines = ({ text }: { text: string }) =>
  text === '' ? (
    <Text size="sm" c="dimmed" className={classes.side}>
      Deleted
    </Text>
  ) : (
    <pre className={classes.side}>{text}</pre>
  )

const isPassage = (piece: string | Passage): piece is Passage => typeof piece !== 'string'

const textWith = (pieces: readonly (string | Passage)[], choices: readonly (Choice | undefined)[]): string => {
  const left = [...choices]
  return pieces.map((piece) => (isPassage(piece) ? wordsOf(piece, left.shift()) : piece)).join('')
}

const wordsOf = ({ mine, theirs }: Passage, choice: Choice | undefined): string => {
  if (choice === 'both') return theirs === '' || theirs.endsWith('\n') ? theirs + mine : `${theirs}\n${mine}`
  return choice === 'theirs' ? theirs : mine
}
