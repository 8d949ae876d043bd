import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { StatusLabel } from '../../../../ui/feedback/StatusLabel.tsx'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { FormError } from '../../../../ui/fields/FormError.tsx'
import classes from '../../report-templates.module.css'
import type { CheckOutcome, Template, TemplateProblem } from '../../template-words.tsx'

interface CheckPanelProps {
  template: Template
  outcome: CheckOutcome | undefined
  onChecked: (outcome: CheckOutcome) => void
  /** Opens a file of the code at a line. */
  onOpen: (file: string, line: number | null) => void
}

const NONE = 'none'

/** Renders the template with difficult data, and lists every problem. */
export const CheckPanel = ({ template, outcome, onChecked, onOpen }: CheckPanelProps) => {
  const { id } = useOrganization()
  const [engagementId, setEngagementId] = useState(NONE)
  const engagements = useQuery(
    query(id, 'listEngagementSummaries', { query: { perPage: 100, sort: 'updatedAt', order: 'desc' } }),
  )
  const check = useApiMutation(id, 'checkReportTemplate', { onSuccess: ({ data }) => onChecked(data) })
  return (
    <aside className={classes.aside} aria-label="Check of the template">
      <h2>Check</h2>
      <Choice
        label="Data"
        description="Always includes 0 and 300 findings, very wide tables, several scripts and broken images."
        data={[
          { value: NONE, label: 'Difficult examples' },
          ...(engagements.data?.data ?? []).map((each) => ({ value: each.id, label: `Also ${each.name}` })),
        ]}
        value={engagementId}
        onChange={setEngagementId}
      />
      <div>
        <Button
          variant="default"
          loading={check.isPending}
          onClick={() =>
            check.mutate({ params: { templateId: template.id }, body: engagementId === NONE ? {} : { engagementId } })
          }
        >
          Check
        </Button>
      </div>
      <FormError message={check.error ? messageOf(check.error) : undefined} />
      <div role="status">{outcome && !check.isPending && <Outcome outcome={outcome} onOpen={onOpen} />}</div>
    </aside>
  )
}

const Outcome = ({
  outcome: { problems, unusedFields },
  onOpen,
}: Pick<CheckPanelProps, 'onOpen'> & { outcome: CheckOutcome }) => (
  <>
    {problems.length === 0 && <StatusLabel tone="good">No problems</StatusLabel>}
    <Problems problems={problems} onOpen={onOpen} />
    {unusedFields.length > 0 && (
      <details>
        <summary>{`${unusedFields.length} fields are not used`}</summary>
        <code className={classes.code}>{unusedFields.join('\n')}</code>
      </details>
    )}
  </>
)

interface ProblemsProps {
  problems: readonly TemplateProblem[]
  onOpen?: CheckPanelProps['onOpen']
}

/** Problems of a template: of a line of its code, or of a tag of its Word file. */
export const Problems = ({ problems, onOpen }: ProblemsProps) => (
  <ul className={classes.problems}>
    {problems.map((problem, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- problems have no id
      <li key={index}>
        <StatusLabel tone={problem.level === 'error' ? 'bad' : 'warn'}>{headOf(problem)}</StatusLabel>
        <p>{problem.message}</p>
        {problem.text !== null && <code className={classes.code}>{problem.text.trim()}</code>}
        {problem.context !== null && <code className={classes.code}>… {problem.context} …</code>}
        {problem.fits !== null && <p className={classes.dimmed}>Fits: {problem.fits}</p>}
        {problem.file?.endsWith('.typ') && onOpen && (
          <button type="button" className={classes.place} onClick={() => onOpen(problem.file ?? '', problem.line)}>
            Show in the code
          </button>
        )}
      </li>
    ))}
  </ul>
)

const headOf = ({ file, line, tag, paragraph, level }: TemplateProblem): string => {
  const place = tag ?? file
  if (place !== null && paragraph !== null) return `${place}, paragraph ${paragraph}`
  if (place !== null) return line === null ? place : `${place}, line ${line}`
  return level === 'error' ? 'Error' : 'Warning'
}
