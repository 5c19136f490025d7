# The server as an image: docs/deployment.md says how to build and run it.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
ARG EXTRAS=catalogue,providers,server
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE THIRD_PARTY_LICENSES.txt ./
COPY src src
RUN python -m venv --without-pip /opt/antiphon \
 && pip --python /opt/antiphon/bin/python install --no-cache-dir --disable-pip-version-check \
      -c constraints.txt ".[${EXTRAS}]"

FROM python:${PYTHON}-slim
RUN useradd --system --uid 10001 --no-create-home --home-dir /var/lib/antiphon antiphon \
 && install -d -o antiphon -g antiphon -m 0700 /var/lib/antiphon
COPY --from=build /opt/antiphon /opt/antiphon
ENV PATH=/opt/antiphon/bin:$PATH \
    PYTHONUNBUFFERED=1
USER 10001
WORKDIR /var/lib/antiphon
VOLUME /var/lib/antiphon
EXPOSE 8080
# SIGTERM ends open conversations in order; the engine should wait 30 s before it kills.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/readyz', timeout=4)"]
ENTRYPOINT ["antiphon"]
CMD ["serve", "--data", "/var/lib/antiphon"]
