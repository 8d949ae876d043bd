import { createRoute } from '@tanstack/react-router'
import { day, type Raw, definedParams, text } from '../../search.ts'
import { admins, instance } from '../../shell/routing/parents.ts'

const validateSearch = (raw: Raw) =>
  definedParams({
    action: text(raw.action),
    actorId: text(raw.actorId),
    objectId: text(raw.objectId),
    from: day(raw.from),
    to: day(raw.to),
  })

export const settingsPage = createRoute({ getParentRoute: () => admins, path: '/settings/audit', validateSearch })

export const instancePage = createRoute({ getParentRoute: () => instance, path: '/audit', validateSearch })
