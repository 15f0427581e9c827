import { useSyncExternalStore } from 'react'

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
  /** False after the toast was dismissed. A dismissed toast stays in the list until it is removed. */
  open: boolean
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const removalTimers = new Map<number, ReturnType<typeof setTimeout>>()

function setToasts(next: readonly Toast[]) {
  toasts = next
  for (const [id, timer] of removalTimers) {
    if (toasts.some((it) => it.id === id)) continue
    clearTimeout(timer)
    removalTimers.delete(id)
  }
  for (const listener of listeners) listener()
}

/** Shows a toast, which replaces the current one, and returns its id. */
export function toast(content: ToastContent): number {
  lastId += 1
  setToasts([{ ...content, id: lastId, open: true }, ...toasts].slice(0, TOAST_LIMIT))
  return lastId
}

export const toastFailure = (title: string, description: string) =>
  toast({ title, description, variant: 'destructive' })

/** Hides one toast, or all of them. They are removed after a delay. */
export function dismiss(id?: number): void {
  const dismissed = toasts.filter((it) => it.open && (id === undefined || it.id === id))
  if (dismissed.length === 0) return
  for (const it of dismissed)
    removalTimers.set(
      it.id,
      setTimeout(() => remove(it.id), TOAST_REMOVE_DELAY_MS),
    )
  setToasts(toasts.map((it) => (dismissed.includes(it) ? { ...it, open: false } : it)))
}

function remove(id: number) {
  removalTimers.delete(id)
  setToasts(toasts.filter((it) => it.id !== id))
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
