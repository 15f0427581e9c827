import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { dismiss } from '../lib/toasts.ts'

// A busy machine takes its time to load the code of a screen.
configure({ asyncUtilTimeout: 10_000 })

afterEach(() => {
  cleanup()
  dismiss()
  localStorage.clear()
  sessionStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
