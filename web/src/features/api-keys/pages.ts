/** One file to load: the pages share most of their parts, and each file that is split off costs the first page its name. */
export { AgentsPage } from './agents/AgentsPage.tsx'
export { ApiKeysPage } from './ApiKeysPage.tsx'
export { ConsentPage } from './device/ConsentPage.tsx'
export { DevicePage } from './device/DevicePage.tsx'
