import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { dismiss } from '../lib/toasts.ts'

// Long enough for a busy machine to load the code of a screen. Passing tests do not wait.
configure({ asyncUtilTimeout: 60_000 })

// happy-dom does not know this property. Without it, react-hook-form takes every select for edited and ignores its default.
Object.defineProperty(HTMLOptionElement.prototype, 'defaultSelected', { value: false, writable: true })

afterEach(() => {
  cleanup()
  dismiss()
  localStorage.clear()
  sessionStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
