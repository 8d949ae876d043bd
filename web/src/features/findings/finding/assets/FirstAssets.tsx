import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { query } from '../../../../api/api.ts'
import { RemediationLabel } from '../../../../domain/finding-words.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { IconPlus } from '../../../../ui/icons.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'

const AddAssetsDialog = lazyPart(() => import('./AddAssetsDialog.tsx'), 'AddAssetsDialog')

const SHOWN = 10

interface FirstAssetsProps {
  finding: Finding
  mayChange: boolean
  /** Address of all assets. */
  to: string
}

/** The first affected assets, below the texts. */
export const FirstAssets = ({ finding, mayChange, to }: FirstAssetsProps) => {
  const organization = useOrganization()
  const [isAdding, setAdding] = useState(false)
  const read = useQuery(
    query(organization.id, 'listAffected', { params: { findingId: finding.id }, query: { perPage: SHOWN } }),
  )
  return (
    <section aria-label="Affected assets">
      <Group justify="space-between" mb={6}>
        <Title order={2} size="h5">
          Affected assets
        </Title>
        {mayChange && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add assets
          </Button>
        )}
      </Group>
      <QueryView query={read} skeleton={<ListSkeleton rows={2} height={24} />}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              None yet. Add lines, targets or results.
            </Text>
          ) : (
            <>
              <ul className={classes.assets}>
                {data.map(({ id, asset, status }) => (
                  <li key={id} className={classes.assetRow}>
                    <span className="mono">{asset}</span>
                    <RemediationLabel status={status} />
                  </li>
                ))}
              </ul>
              <Text size="sm" mt={6}>
                <TextLink to={to}>
                  {meta.total !== null && meta.total > data.length
                    ? `All ${meta.total.toLocaleString('en')} assets`
                    : 'Change status and notes'}
                </TextLink>
              </Text>
            </>
          )
        }
      </QueryView>
      <Suspense>{isAdding && <AddAssetsDialog finding={finding} onClose={() => setAdding(false)} />}</Suspense>
    </section>
  )
}
