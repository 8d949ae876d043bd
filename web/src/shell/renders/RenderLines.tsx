import { ActionIcon, Anchor, Loader } from '@mantine/core'
import { FORMAT_LABELS } from '../../domain/reports/report-words.tsx'
import { IconAlertTriangle, IconCheck, IconX } from '../../ui/page-icons.tsx'
import { formatBytes } from '../../ui/values/format-bytes.ts'
import { reasonOf } from './EndedToast.tsx'
import { RenderProblems } from './RenderProblems.tsx'
import classes from './renders.module.css'
import { dismissRender, fileOf, type Render, useRenders } from './renders.ts'

/** The renders of one object: how far they are, and what they led to. */
export const RenderLines = ({ of }: { of: string }) => {
  const renders = useRenders().filter((render) => render.of.id === of)
  return (
    <div className={classes.lines} role="status" aria-label="Renders">
      {renders.map((render) => (
        <Line key={render.key} render={render} />
      ))}
    </div>
  )
}

const Line = ({ render }: { render: Render }) => {
  const { finished, error, format } = render
  const name = FORMAT_LABELS[format]
  const address = fileOf(render)
  if (!finished && error === undefined)
    return (
      <div className={classes.line}>
        <Loader size={14} />
        <span>Rendering {name} … You can leave this page.</span>
      </div>
    )
  return (
    <div className={classes.line} data-failed={address === undefined || undefined}>
      {address === undefined ? <IconAlertTriangle size={15} aria-hidden /> : <IconCheck size={15} aria-hidden />}
      <span className={classes.words}>
        {address === undefined ? (
          `${name}: ${reasonOf(render)}`
        ) : (
          <>
            {name} is ready{describe(finished)}.{' '}
            <Anchor href={address} download inherit>
              Download
            </Anchor>
          </>
        )}
      </span>
      <RenderProblems name={name} problems={finished?.problems ?? []} />
      <ActionIcon size="xs" aria-label={`Dismiss: ${name}`} onClick={() => dismissRender(render.key)}>
        <IconX size={13} aria-hidden />
      </ActionIcon>
    </div>
  )
}

/** `, 24 pages, 412 kB` */
const describe = (finished: Render['finished']): string =>
  [
    ...(finished?.pages ? [finished.pages === 1 ? '1 page' : `${finished.pages} pages`] : []),
    ...(finished?.size ? [formatBytes(finished.size)] : []),
  ]
    .map((part) => `, ${part}`)
    .join('')
