import { type AnyRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../ui/load-part.ts'

/**
 * Gives a route its component, loaded when the route is opened. The route itself is defined in a file without
 * components, so that its page can import it.
 */
export const lazyPage = <R extends AnyRoute, M extends Record<string, unknown>>(
  route: R,
  load: () => Promise<M>,
  name: keyof M,
): R => {
  route.update({ component: lazyRouteComponent(() => loadPart(load), name) })
  return route
}
