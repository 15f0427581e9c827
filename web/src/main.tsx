import './styles/main.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { App } from './app/app.tsx'

// zod uses eval for speed, which our content security policy forbids.
z.config({ jitless: true })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
