import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  resetKey: string
  fallback: ReactNode
  children: ReactNode
}

/**
 * Shows `fallback` if children throw while rendering, and retries when `resetKey` changes. A class, because React has
 * no hook for this.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true })

  override state = { hasFailed: false }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps): void {
    // oxlint-disable-next-line react/no-did-update-set-state -- once for each new key: the next update finds nothing to do
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
