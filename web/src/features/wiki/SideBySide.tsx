import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import classes from './wiki.module.css'
import type { WikiPage } from './wiki-tree.tsx'

interface SideBySideProps {
  /** The text as it is when it is asked for: somebody may go on typing. */
  mine: () => string
  theirs: WikiPage
  onChoose: (text: string) => void
}

/** Two texts that touch each other: nothing is saved before the person has chosen. */
export const SideBySide = ({ mine, theirs, onChoose }: SideBySideProps) => (
  <Alert color="yellow" variant="light" role="alert" title="Your text and the saved one changed the same lines">
    <Stack gap="sm">
      <Text size="sm">Nothing was lost, and nothing is saved before you choose.</Text>
      <div className={classes.sides}>
        <section aria-label="Your text">
          <Text fw={600} size="sm">
            Yours
          </Text>
          <pre className={classes.side}>{mine()}</pre>
          <Button size="xs" onClick={() => onChoose(mine())}>
            Keep my text
          </Button>
        </section>
        <section aria-label="The saved text">
          <Text fw={600} size="sm">
            Saved{theirs.updatedBy ? ` by ${theirs.updatedBy.name}` : ''}
          </Text>
          <pre className={classes.side}>{theirs.body}</pre>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => onChoose(theirs.body)}>
              Take the saved text
            </Button>
            <Button size="xs" variant="default" onClick={() => onChoose(`${theirs.body}\n\n${mine()}`)}>
              Keep both, one after the other
            </Button>
          </Group>
        </section>
      </div>
    </Stack>
  </Alert>
)
