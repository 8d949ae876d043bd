import { Skeleton, Stack } from '@mantine/core'

/** Placeholder rows while a list loads. */
export const ListSkeleton = ({ rows = 6, height = 40 }: { rows?: number; height?: number }) => (
  <Stack gap={8} aria-busy="true" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, index) => (
      <Skeleton key={index} height={height} radius="sm" />
    ))}
  </Stack>
)
