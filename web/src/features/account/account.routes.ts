import { createRoute } from '@tanstack/react-router'
import { account as parent } from '../../shell/routing/parents.ts'

export const profile = createRoute({
  getParentRoute: () => parent,
  path: '/profile',
})

export const password = createRoute({
  getParentRoute: () => parent,
  path: '/password',
})

export const secondFactor = createRoute({
  getParentRoute: () => parent,
  path: '/second-factor',
})

export const sessions = createRoute({
  getParentRoute: () => parent,
  path: '/sessions',
})

export const notifications = createRoute({
  getParentRoute: () => parent,
  path: '/notifications',
})
