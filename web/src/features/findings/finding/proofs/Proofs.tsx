import { ActionIcon, Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { query } from '../../../../api/api.ts'
import { objectPath, paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { IconPlus } from '../../../../ui/icons.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import { IconX } from '../../../../ui/page-icons.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'
import { useSetFinding } from '../../use-set-finding.ts'

const AddProofDialog = lazyPart(() => import('./AddProofDialog.tsx'), 'AddProofDialog')

/** The limit of the API. */
const MAX_PROOFS = 20

type Proof = Finding['proofs'][number]

/**
 * What shows the finding and can be run again in a retest: requests, runs and scans. The first one is run unless
 * another is chosen.
 */
export const Proofs = ({ finding: stored, mayChange }: { finding: Finding; mayChange: boolean }) => {
  const { finding, set } = useSetFinding(stored)
  const [isAdding, setAdding] = useState(false)
  const { proofs } = finding
  return (
    <section aria-label="Proofs">
      <Group justify="space-between" mb={6}>
        <Title order={2} size="h5">
          Proofs
        </Title>
        {mayChange && proofs.length < MAX_PROOFS && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add a proof
          </Button>
        )}
      </Group>
      {proofs.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. A retest runs a saved request, a recorded run or a scan again, and shows the new response next to
          the recorded one.
        </Text>
      ) : (
        <ul className={classes.assets}>
          {proofs.map((proof) => (
            <li key={proof.id} className={classes.assetRow}>
              <ProofLine proof={proof} engagementId={finding.engagementId} />
              {mayChange && (
                <ActionIcon
                  size="sm"
                  aria-label="Remove the proof"
                  onClick={() => set({ proofs: proofs.filter(({ id }) => id !== proof.id) })}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      <Suspense>
        {isAdding && (
          <AddProofDialog
            engagementId={finding.engagementId}
            known={proofs.map(({ id }) => id)}
            onAdd={(proof) => {
              set({ proofs: [...proofs, proof] })
              setAdding(false)
            }}
            onClose={() => setAdding(false)}
          />
        )}
      </Suspense>
    </section>
  )
}

const ProofLine = ({ proof: { type, id }, engagementId }: { proof: Proof; engagementId: string }) => {
  if (type === 'request') return <RequestLine requestId={id} />
  return type === 'run' ? <RunLine runId={id} engagementId={engagementId} /> : <ScanLine scanId={id} />
}

const RequestLine = ({ requestId }: { requestId: string }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery({ ...query(id, 'getApiRequest', { params: { requestId } }), retry: false })
  return (
    <span>
      Request{' '}
      <TextLink to={objectPath(slug, 'request', requestId)}>{data ? data.data.name : 'that was deleted'}</TextLink>
    </span>
  )
}

const RunLine = ({ runId, engagementId }: { runId: string; engagementId: string }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery({ ...query(id, 'getRequestRun', { params: { runId } }), staleTime: 60_000, retry: false })
  const run = data?.data
  return (
    <span>
      Run{' '}
      <TextLink to={paths.openEngagementRequest(slug, engagementId, run?.requestId ?? runId)}>
        <span className="mono">{run ? `${run.method} ${run.url}` : runId}</span>
      </TextLink>{' '}
      {run && (
        <>
          {run.status} <TimeAgo iso={run.startedAt} />
        </>
      )}
    </span>
  )
}

const ScanLine = ({ scanId }: { scanId: string }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery({ ...query(id, 'getScan', { params: { scanId } }), staleTime: 60_000, retry: false })
  return (
    <span>
      Scan <TextLink to={paths.scan(slug, scanId)}>{data ? <TimeAgo iso={data.data.createdAt} /> : scanId}</TextLink>
    </span>
  )
}
