declare module 'virtual:theme-variables.css'

declare module 'virtual:call-table' {
  export const CALLS: import('@sortie/client/call-table.ts').CallTable
}
