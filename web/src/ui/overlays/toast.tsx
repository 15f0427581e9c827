import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { classNames } from '../base/class-names.ts'

export interface ToastNotice {
  id: number
  title: string
  description?: string | undefined
  variant?: 'default' | 'destructive' | undefined
  action?: { label: string; onPress: () => void } | undefined
  durationMs?: number | undefined
  open: boolean
}

export interface ToastAreaProps {
  toasts: readonly ToastNotice[]
  onDismiss: (id: number) => void
  durationMs: number
  swipeThresholdPx: number
}

/**
 * The toasts in the corner. F8 focuses them, and a swipe to the right dismisses them. A screen that needs the
 * corner can move them with --toast-right, --toast-bottom and --toast-height. A toast is aligned to the top of that
 * area, and grows upwards if the area is too small.
 */
export function ToastArea({ toasts, onDismiss, durationMs, swipeThresholdPx }: ToastAreaProps) {
  return (
    <Radix.Provider
      duration={durationMs}
      swipeDirection="right"
      swipeThreshold={swipeThresholdPx}
      label="Notification"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={() => onDismiss(toast.id)} />
      ))}
      <Radix.Viewport className="pointer-events-none fixed right-(--toast-right,0) bottom-(--toast-bottom,0) z-50 m-0 flex h-(--toast-height,auto) w-full max-w-slip list-none flex-col justify-end p-4 outline-none sm:p-6" />
    </Radix.Provider>
  )
}

function ToastCard({ toast, onDismiss }: { toast: ToastNotice; onDismiss: () => void }) {
  const destructive = toast.variant === 'destructive'
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) onDismiss()
      }}
      type={destructive ? 'foreground' : 'background'}
      {...(toast.durationMs === undefined ? {} : { duration: toast.durationMs })}
      className={classNames(
        'pointer-events-auto relative mb-auto flex items-start gap-4 rounded-card border-t-4 bg-paper py-4 pr-12 pl-5 text-ink shadow-lift outline-1 outline-line',
        'data-[state=open]:animate-slide-in data-[state=closed]:animate-slide-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
        destructive ? 'border-danger' : 'border-accent',
      )}
    >
      <div className="grid min-w-0 grow gap-1">
        <Radix.Title className={classNames('font-strong', destructive && 'text-danger')}>
          {toast.title}
        </Radix.Title>
        {toast.description && (
          <Radix.Description className="whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">
            {toast.description}
          </Radix.Description>
        )}
        {toast.action && (
          <Radix.Action
            altText={toast.action.label}
            onClick={toast.action.onPress}
            className="mt-1 min-h-9 justify-self-start rounded-control border border-line-strong px-3 font-strong text-fine hover:bg-sunken"
          >
            {toast.action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close
        aria-label="Close"
        className="absolute top-2.5 right-2.5 grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Radix.Close>
    </Radix.Root>
  )
}
