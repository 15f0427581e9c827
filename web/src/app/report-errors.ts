import type { InputOf } from '@sought/contract/call'
import { BROWSER_ERROR_MAX_LENGTHS as MAX } from '@sought/contract/constants'
import { reportBrowserError } from '@sought/contract/platform'

type Report = InputOf<typeof reportBrowserError>['body']

const REPORTS_MAX = 3

/** Reports uncaught errors to the server. Returns React's handler for errors that a screen has caught. */
export function reportErrors(options?: AddEventListenerOptions): (error: unknown) => void {
  const reported = new Set<string>()
  const report = (kind: Report['kind'], error: unknown) => {
    try {
      const message = String(error).slice(0, MAX.message)
      const { stack = '' }: Partial<Error> = Object(error)
      // Errors of browser extensions and of scripts from other hosts are not our errors.
      if (stack && !stack.includes(location.origin)) return
      if (reported.size === REPORTS_MAX || reported.has(message)) return
      reported.add(message)
      const path = location.pathname.slice(0, MAX.path)
      const body: Report = { kind, message, stack: stack.slice(0, MAX.stack), path }
      // Unlike fetch, the browser sends this even if the user leaves the page.
      navigator.sendBeacon(
        reportBrowserError.path,
        new Blob([JSON.stringify(body)], { type: 'application/json' }),
      )
    } catch {
      // Ignored, because reporting an error of the reporter could fail again, without end.
    }
  }
  addEventListener('error', ({ error }) => error && report('error', error), options)
  addEventListener('unhandledrejection', ({ reason }) => report('rejection', reason), options)
  return (error) => {
    // Without this handler, React would log the error and do nothing else.
    console.error(error)
    report('screen', error)
  }
}
