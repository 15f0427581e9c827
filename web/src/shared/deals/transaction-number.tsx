import { Copy } from 'lucide-react'
import { toast, toastFailure } from '../../data/toasts.ts'
import { IconButton } from '../../ui/forms/icon-button.tsx'

/** The number of a payment, with a button that copies it. */
export function TransactionNumber({ value }: { value: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      toast({ title: 'Transaction number copied', description: value })
    } catch {
      toastFailure('The number could not be copied', value)
    }
  }
  return (
    <span className="inline-flex items-center gap-0.5">
      <span className="whitespace-nowrap tabular-nums">{value}</span>
      <IconButton
        label="Copy transaction number"
        Icon={Copy}
        size="sm"
        className="-my-2 -mr-2 text-ink-soft [&_svg]:size-4"
        onClick={() => void copy()}
      />
    </span>
  )
}
