import './no-async-stacks.ts'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { dismiss } from '../lib/toasts.ts'

configure({
  // Long enough for a busy machine to load the code of a screen. Passing tests do not wait.
  asyncUtilTimeout: 60_000,
  // Most of these errors only mean that an element is not there yet: the page is printed when somebody reads the message.
  getElementError(message, container) {
    const error = Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
    return Object.defineProperty(error, 'message', { get: () => `${message}\n\n${prettyDOM(container)}` })
  },
})

// happy-dom does not know these properties. Without them, react-hook-form takes every select for edited and ignores its
// default.
Object.defineProperty(HTMLOptionElement.prototype, 'defaultSelected', { value: false, writable: true })
Object.defineProperty(HTMLSelectElement.prototype, 'size', { value: 0, writable: true })

afterEach(() => {
  cleanup()
  dismiss()
  localStorage.clear()
  // Tells the page, as when another tab cleared the storage: the outbox outlives its screen.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  sessionStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
