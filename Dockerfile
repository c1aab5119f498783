# The hall. BASE may be any image with Python 3.11 or newer and its `venv` module.
ARG BASE=python:3.13-slim

FROM ${BASE} AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never
ENV UV_PROJECT_ENVIRONMENT=/opt/gamehall
WORKDIR /build
RUN python3 -m venv /uv
COPY pyproject.toml uv.lock ./
# A network with certificates of its own passes them as a secret, so that no layer holds them.
RUN --mount=type=secret,id=certificates \
    given=/run/secrets/certificates; if [ -f $given ]; then export PIP_CERT=$given SSL_CERT_FILE=$given; fi; \
    /uv/bin/pip install --no-cache-dir --quiet --disable-pip-version-check uv==0.13.7 \
    && /uv/bin/uv sync --frozen --no-dev --extra cluster --no-install-project \
    && UV_PROJECT_ENVIRONMENT=/node /uv/bin/uv sync --frozen --only-group page
# The page, with a Node that stays in this stage.
COPY web/package.json web/package-lock.json web/
RUN --mount=type=secret,id=certificates \
    given=/run/secrets/certificates; if [ -f $given ]; then export NODE_EXTRA_CA_CERTS=$given; fi; \
    export PATH=/node/bin:$PATH; \
    cd web && npm ci --no-fund --no-audit --loglevel=error
COPY web web
RUN export PATH=/node/bin:$PATH; cd web && npm run --silent build -- --logLevel=warn
COPY README.md LICENSE ./
COPY src src
RUN --mount=type=secret,id=certificates \
    given=/run/secrets/certificates; if [ -f $given ]; then export SSL_CERT_FILE=$given; fi; \
    /uv/bin/uv sync --frozen --no-dev --extra cluster --no-editable

FROM ${BASE}
LABEL org.opencontainers.image.title="gamehall" \
      org.opencontainers.image.description="An open game hall: play from a browser, a terminal or a bare socket." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# A number needs no entry in the base's list of users, and an orchestrator can see that it is not root.
RUN mkdir -m 700 /data && chown 10001:10001 /data
# At the path it was made for: a virtual environment cannot move.
COPY --from=build /opt/gamehall /opt/gamehall
ENV PATH=/opt/gamehall/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
VOLUME /data
# The web port, then the other doors.
EXPOSE 8000 8001 5555 8081 8801 8881 8882 8889 8892 12345 27004
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python3", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["gamehall"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data"]
