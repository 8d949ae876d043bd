import { Checkbox, Text } from '@mantine/core'
import { rows } from '../../../api/rows.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { rowsOf, ShowMore, useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import classes from './settings.module.css'

interface ChosenFindingsProps {
  engagementId: string
  value: readonly string[]
  onChange: (ids: string[]) => void
}

/** Findings of the engagement to choose from. */
export const ChosenFindings = ({ engagementId, value, onChange }: ChosenFindingsProps) => {
  const { id } = useOrganization()
  const list = useParts(rows(id, 'listFindings', { query: { engagementId, sort: 'severity', order: 'desc' } }))
  const chosen = new Set(value)
  return (
    <QueryView query={list}>
      {(read) =>
        rowsOf(read).length === 0 ? (
          <Text size="sm" c="dimmed">
            This engagement has no findings yet.
          </Text>
        ) : (
          <div>
            <ul className={classes.findings} aria-label="Findings of the report">
              {rowsOf(read).map((finding) => (
                <li key={finding.id}>
                  <Checkbox
                    label={`${finding.number} ${finding.title}`}
                    checked={chosen.has(finding.id)}
                    onChange={({ currentTarget }) =>
                      onChange(
                        currentTarget.checked ? [...value, finding.id] : value.filter((each) => each !== finding.id),
                      )
                    }
                  />
                  <SeverityLabel severity={finding.severity} />
                </li>
              ))}
            </ul>
            <ShowMore list={list} />
            <Text size="sm" c="dimmed" mt={6}>
              {value.length === 1
                ? '1 finding is chosen.'
                : `${value.length.toLocaleString('en')} findings are chosen.`}
            </Text>
          </div>
        )
      }
    </QueryView>
  )
}
