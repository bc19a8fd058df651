import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const MANIFESTS = 'deploy/kubernetes';

export interface EnvironmentEntry {
  name: string;
  value?: string;
  valueFrom?: { configMapKeyRef: { name: string; key: string } };
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}

export interface Container {
  name: string;
  image: string;
  command: string[];
  ports?: { name: string; containerPort: number }[];
  env: EnvironmentEntry[];
  volumeMounts: { name: string; mountPath: string; readOnly: boolean }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
}

export interface PodSpec {
  automountServiceAccountToken: boolean;
  securityContext: object;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: { labelSelector: { matchLabels: Record<string, string> } }[];
  containers: Container[];
  volumes: {
    name: string;
    projected: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
  }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: unknown;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

/** Every object of the files in a folder, without those of kustomize. */
export const readManifests = (folder: string): Manifest[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS() as Manifest;
    });

/** A deployment or a job. */
export interface Workload {
  name: string;
  kind: string;
  spec: { replicas?: number; selector?: { matchLabels: Record<string, string> } };
  labels: Record<string, string>;
  annotations: Record<string, string>;
  pod: PodSpec;
  container: Container;
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ kind, metadata, spec }) => {
      const { template, ...rest } = spec as Workload['spec'] & {
        template: {
          metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
          spec: PodSpec;
        };
      };
      const [container, ...others] = template.spec.containers;
      if (container === undefined || others.length > 0)
        throw new Error(`${metadata.name} has not exactly one container`);
      const { labels, annotations = {} } = template.metadata;
      return {
        name: metadata.name,
        kind,
        spec: rest,
        labels,
        annotations,
        pod: template.spec,
        container,
      };
    });
}
