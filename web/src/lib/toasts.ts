import { useSyncExternalStore } from 'react'

/* The numbers of spec §9. */
export const TOAST_LIMIT = 1
export const TOAST_DURATION_MS = 5000
export const TOAST_REMOVE_DELAY_MS = 1_000_000
export const SWIPE_THRESHOLD_PX = 50

export interface ToastAction {
  label: string
  onPress: () => void
}

export interface ToastContent {
  title: string
  description?: string | undefined
  variant?: 'default' | 'destructive' | undefined
  action?: ToastAction | undefined
  durationMs?: number | undefined
}

export interface Toast extends ToastContent {
  id: number
  /** False once dismissed: it has left the screen, though not yet our memory. */
  open: boolean
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const removals = new Map<number, ReturnType<typeof setTimeout>>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const [id, timer] of removals) {
    if (toasts.some((it) => it.id === id)) continue
    clearTimeout(timer)
    removals.delete(id)
  }
  for (const listener of listeners) listener()
}

/** Shows a toast in place of whichever was there, and returns its id. */
export function toast(content: ToastContent): number {
  lastId += 1
  set([{ ...content, id: lastId, open: true }, ...toasts].slice(0, TOAST_LIMIT))
  return lastId
}

/** Takes one toast off the screen, or all of them; it is forgotten some time later. */
export function dismiss(id?: number): void {
  const leaving = toasts.filter((it) => it.open && (id === undefined || it.id === id))
  if (leaving.length === 0) return
  for (const it of leaving)
    removals.set(
      it.id,
      setTimeout(() => remove(it.id), TOAST_REMOVE_DELAY_MS),
    )
  set(toasts.map((it) => (leaving.includes(it) ? { ...it, open: false } : it)))
}

function remove(id: number) {
  removals.delete(id)
  set(toasts.filter((it) => it.id !== id))
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToasts(): readonly Toast[] {
  return toasts
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, currentToasts, currentToasts)
}
