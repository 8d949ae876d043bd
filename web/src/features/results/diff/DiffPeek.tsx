import { Stack, Text, Title } from '@mantine/core'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import classes from '../results.module.css'
import { ChangeLabel } from './columns.tsx'
import { type DiffRow, fieldChanges } from './labels.ts'

/** Details of a difference: each field before and after. */
export const DiffPeek = ({ row }: { row: DiffRow }) => {
  const { slug } = useOrganization()
  const { result } = row
  const changes = fieldChanges(row)
  return (
    <Stack gap="md">
      <Title order={2} pr="xl" className={classes.title}>
        {result.title}
      </Title>
      <code className={classes.title}>{result.asset}</code>
      <ChangeLabel change={row.change} />
      <div>
        <ButtonLink variant="default" to={`${paths.results(slug, result.engagementId)}?peek=${result.id}`}>
          Show the result
        </ButtonLink>
      </div>
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {row.before === null
            ? 'It did not exist before.'
            : row.after === null
              ? 'It no longer exists.'
              : 'Its fields are the same.'}
        </Text>
      ) : (
        <ul className={classes.list} aria-label="Details">
          {changes.map(({ name, before, after }) => (
            <li key={name}>
              {name}
              {before !== null && (
                <del className={classes.before}>
                  <span aria-hidden>− </span>
                  {before}
                </del>
              )}
              {after !== null && (
                <ins className={classes.after}>
                  <span aria-hidden>+ </span>
                  {after}
                </ins>
              )}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
