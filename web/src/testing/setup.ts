import './no-async-stacks.ts'
import './no-owner-stacks.ts'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { dismiss } from '../data/toasts.ts'

configure({
  // Long enough for a busy machine to load the code of a screen. Passing tests do not wait.
  asyncUtilTimeout: 60_000,
  // Most of these errors only mean that an element does not exist yet, so the page is printed only if the message
  // is read.
  getElementError(message, container) {
    const error = Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
    return Object.defineProperty(error, 'message', { get: () => `${message}\n\n${prettyDOM(container)}` })
  },
})

// happy-dom does not support these properties. Without them, react-hook-form treats every select as edited and
// ignores its default.
Object.defineProperty(HTMLOptionElement.prototype, 'defaultSelected', { value: false, writable: true })
Object.defineProperty(HTMLSelectElement.prototype, 'size', { value: 0, writable: true })

afterEach(() => {
  cleanup()
  dismiss()
  localStorage.clear()
  // Notifies the page, as if another tab had cleared the storage, because the outbox outlives its screen.
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  sessionStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
