import { createRoute } from '@tanstack/react-router'
import { engagement, readers } from '../../shell/routing/parents.ts'
import { newScanSearch, scansSearch, schedulesSearch } from './scans-search.ts'

export const list = createRoute({
  getParentRoute: () => engagement,
  path: '/scans',
  validateSearch: scansSearch,
})

export const start = createRoute({
  getParentRoute: () => engagement,
  path: '/scans/new',
  validateSearch: newScanSearch,
})

export const schedules = createRoute({
  getParentRoute: () => engagement,
  path: '/scans/schedules',
  validateSearch: schedulesSearch,
})

export const open = createRoute({
  getParentRoute: () => engagement,
  path: '/scans/$scanId',
})

export const one = createRoute({
  getParentRoute: () => readers,
  path: '/scans/$scanId',
})
