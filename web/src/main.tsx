import './styles/main.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { App } from './app/app.tsx'
import { reportErrors } from './app/report-errors.ts'
import { readPageData } from './data/page-data.ts'
import { createQueryClient } from './data/query-client.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const options = import.meta.env.PROD ? { onCaughtError: reportErrors() } : {}
if (root.hasChildNodes()) {
  // Public pages contain their content (ADR 62). They are hydrated in short steps, so that the page stays responsive.
  // The timeout makes the evaluation of the code and the first step of hydration two separate tasks.
  setTimeout(() => startTransition(() => void hydrateRoot(root, createApp(), options)))
} else {
  createRoot(root, options).render(createApp())
}

function createApp() {
  const cache = createQueryClient()
  readPageData(cache)
  const { pathname, search } = window.location
  // Components whose code loads later must hydrate with the address of the rendered page, even if the user has left it.
  return (
    <StrictMode>
      <Router ssrPath={pathname} ssrSearch={search}>
        <App cache={cache} />
      </Router>
    </StrictMode>
  )
}

// A failure is ignored, because the app also works without the service worker.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => {}))
