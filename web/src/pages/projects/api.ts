import { del, get, post, put } from "../../api/http";
import type { CalendarEvent } from "../calendar/api";

export type Status = "active" | "paused" | "done";

export interface Project {
  id: string;
  name: string;
  description: string;
  status: Status;
  created_at: number;
  updated_at: number;
  /** Agents take "my project" for this one. */
  current: boolean;
}

export interface Related {
  records: { database_id: string; id: string; type: string; title: string; snippet: string }[];
  playbooks: { id: string; title: string; summary: string }[];
  events: CalendarEvent[];
  runs: { task_id: string; kind: "workflow" | "agent"; name: string; input: string; status: string; created_at: number }[];
  problems: string[];
}

const place = (id: string) => `/api/projects/${encodeURIComponent(id)}`;

export async function loadProjects(signal: AbortSignal): Promise<Project[]> {
  return (await get<{ projects: Project[] }>("/api/projects", { signal })).projects;
}

export const loadRelated = (id: string, signal: AbortSignal): Promise<Related> => get(`${place(id)}/related`, { signal });
export const createProject = (body: { name: string; description: string }): Promise<Project> => post("/api/projects", body);
export const changeProject = (id: string, body: Partial<Pick<Project, "name" | "description" | "status" | "current">>): Promise<Project> =>
  put(place(id), body);
export const deleteProject = (id: string): Promise<unknown> => del(place(id));
