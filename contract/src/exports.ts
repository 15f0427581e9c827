export const EXPORT_KINDS = ['payments', 'fees', 'payouts'] as const
export const EXPORT_STATUSES = ['running', 'done', 'failed'] as const
