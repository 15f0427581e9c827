/** Load balancers and Prometheus request these every few seconds, past the proxy, also from an overloaded server. */
export const MONITORING_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
