import { Button, Group } from '@mantine/core'
import { FORMAT_LABELS } from '../../domain/reports/report-words.tsx'
import { fileOf, type Render } from './renders.ts'

/** How a render ended whose page was left meanwhile. */
export const EndedToast = ({ render, onDone }: { render: Render; onDone: () => void }) => {
  const address = fileOf(render)
  const name = `${FORMAT_LABELS[render.format]} of ${render.of.title}`
  if (address === undefined) return <>{`${name}: ${reasonOf(render)}`}</>
  return (
    <Group justify="space-between" wrap="nowrap">
      {`${name} is ready.`}
      <Button component="a" href={address} download variant="subtle" size="compact-sm" onClick={onDone}>
        Download
      </Button>
    </Group>
  )
}

/** Why a render has no file. */
export const reasonOf = ({ error, finished }: Render): string =>
  error ?? finished?.problems.find(({ level }) => level === 'error')?.message ?? 'The file could not be rendered.'
