import { Button, Text, Title } from '@mantine/core'
import { rows } from '../../../api/rows.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import classes from '../imports.module.css'

const PER_PAGE = 20

/** Entries of a file that could not be imported: position and reason. */
export const Rejections = ({ importId }: { importId: string }) => {
  const organization = useOrganization()
  const list = useParts(rows(organization.id, 'listRejections', { params: { importId } }), { perPage: PER_PAGE })
  return (
    <section aria-label="Rejections">
      <Title order={3} size="h5" mb={6}>
        Rejected
      </Title>
      <QueryView query={list}>
        {({ pages }) => (
          <ul className={classes.list}>
            {pages
              .flatMap(({ data }) => data)
              .map(({ position, excerpt, reason }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- entries have no id, and their order is that of the file
                <li key={index}>
                  {capitalised(reason)} <Text component="span" size="xs" c="dimmed">{`(${position})`}</Text>
                  <code className={classes.excerpt}>{excerpt}</code>
                </li>
              ))}
          </ul>
        )}
      </QueryView>
      {list.hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </section>
  )
}
