import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

type Handlers = Partial<Record<string, (event: KeyboardEvent) => void>>

/** Runs handlers by key, except while the user types, in dialogs, or if shortcuts are turned off. */
export function useShortcuts(handlers: Handlers): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented
    if (isShortcut && areOn() && !isTaken(event)) handlers[event.key]?.(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Whether the focused element needs the key itself: text for typing, and arrows between radio buttons. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select, [role=dialog], [role=alertdialog]'))
    return true
  if (!(target instanceof HTMLInputElement)) return false
  if (target.type === 'radio') return key.startsWith('Arrow')
  return target.type !== 'checkbox'
}

const KEY = 'moderation-shortcuts'
const listeners = new Set<() => void>()

const areOn = () => localStorage.getItem(KEY) !== 'off'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Keys without a modifier disturb speech input and some screen readers, so they can be turned off (WCAG 2.1.4).
 */
export function useShortcutSetting(): [isOn: boolean, turn: (on: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areOn)
  const turn = (on: boolean) => {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
    for (const listener of listeners) listener()
  }
  return [isOn, turn]
}
